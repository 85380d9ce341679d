<?php
// WEBHOOK_SECRET=whsec_… php -S 0.0.0.0:8080 receiver.php
$secret = getenv("WEBHOOK_SECRET") ?: throw new Exception("WEBHOOK_SECRET is missing.");
$inbox = getenv("INBOX") ?: "inbox";
is_dir($inbox) || mkdir($inbox);

$id = $_SERVER["HTTP_WEBHOOK_ID"] ?? "";
$timestamp = $_SERVER["HTTP_WEBHOOK_TIMESTAMP"] ?? "";
$signatures = explode(" ", $_SERVER["HTTP_WEBHOOK_SIGNATURE"] ?? "");
$body = file_get_contents("php://input", length: 65_537);

$key = base64_decode(substr($secret, strlen("whsec_")));
$expected = "v1," . base64_encode(hash_hmac("sha256", "$id.$timestamp.$body", $key, true));
$matching = array_filter($signatures, fn($each) => hash_equals($expected, $each));
if (!$matching || abs(time() - (int) $timestamp) > 300) {
    http_response_code(401);
    exit;
}
$file = "$inbox/" . rawurlencode($id) . ".json";
if ($stream = @fopen($file, "x")) { // not for a repeat, which is ignored
    fwrite($stream, $body);
}
http_response_code(is_file($file) ? 204 : 500);
