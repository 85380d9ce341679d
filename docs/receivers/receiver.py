# WEBHOOK_SECRET=whsec_… PORT=8080 python3 receiver.py
import base64, hmac, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
inbox = os.environ.get("INBOX", "inbox")
os.makedirs(inbox, exist_ok=True)

class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def do_POST(self):
        self.send_response(self.receive())
        self.end_headers()

    def receive(self):
        body = self.rfile.read(min(int(self.headers["content-length"] or 0), 65_536))
        id, timestamp, signatures = [
            self.headers[name] or "" for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
        ]
        signed = hmac.digest(key, f"{id}.{timestamp}.".encode() + body, "sha256")
        expected = b"v1," + base64.b64encode(signed)
        if not any(hmac.compare_digest(each.encode(), expected) for each in signatures.split()):
            return 401
        if abs(time.time() - int(timestamp)) > 300:
            return 401
        try:
            with open(f"{inbox}/{quote(id, safe='')}.json", "xb") as file:
                file.write(body)
        except FileExistsError:
            pass  # a repeat, which is ignored
        return 204

ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
