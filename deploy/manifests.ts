import { join } from "node:path"
import { chartValues, foldersOf } from "./kubernetes/overlay"
import { NAMESPACE, OVERLAYS } from "./kubernetes/system"
import { natsConf } from "./nats-users"

const HEAD = "# Written by `npm run manifests`.\n"

/** Returns the text of every generated file by its path, relative to this folder. */
export async function manifests(): Promise<Record<string, string>> {
  const files: Record<string, string> = { "nats.conf": await natsConf() }
  for (const overlay of OVERLAYS) {
    const at = `kubernetes/${overlay.name}`
    for (const [name, values] of Object.entries(await chartValues(overlay))) {
      files[`${at}/${name}.yaml`] = HEAD + yamlOf(values)
    }
    for (const [folder, documents] of Object.entries(await foldersOf(overlay))) {
      const names = Object.keys(documents)
      const resources = names.map(name => `${name}.yaml`)
      const kustomization = { ...KUSTOMIZATION, resources, ...(documents.nats && NATS_CONF_MAP) }
      files[`${at}/${folder}/kustomization.yaml`] = HEAD + yamlOf(kustomization)
      if (documents.nats) files[`${at}/${folder}/nats.conf`] = files["nats.conf"]!
      for (const name of names) {
        files[`${at}/${folder}/${name}.yaml`] = HEAD + documents[name]!.map(yamlOf).join("---\n")
      }
    }
  }
  return files
}

const KUSTOMIZATION = { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization" }

/** Kustomize appends a hash of the file to the name, so that NATS restarts when it changes. */
const NATS_CONF_MAP = {
  configMapGenerator: [{ name: "nats", namespace: NAMESPACE, files: ["nats.conf"] }],
}

/** Converts to plain values first: the models carry more than the manifest. */
const yamlOf = (value: object) =>
  `${Bun.YAML.stringify(JSON.parse(JSON.stringify(value)), null, 2)}\n`

if (import.meta.main) {
  for (const [path, text] of Object.entries(await manifests())) {
    await Bun.write(join(import.meta.dir, path), text)
  }
}
