import { startNats } from "../nats"
import { newPostgres } from "../postgres"
import { topologyTrial } from "../topology-trial"

/** Three NATS servers. The one with the most connections is killed under load. */
export const natsCluster = topologyTrial(
  "A NATS cluster that loses a node",
  ["nats-server"],
  async stage => {
    const server = await newPostgres(stage, "postgres", "embedded")
    const nats = await startNats(stage, 3)

    return {
      servers: `three nodes of ${nats.version}, ${server.version}`,
      environment: { DATABASE_URL: server.url, NATS_URL: nats.url, REPLICAS: "2" },
      databases: server.url,
      async disrupt() {
        const loads = await Promise.all(
          nats.nodes.map(async node => ({
            node,
            connections: (await node.fetchStatus("varz")).connections as number,
          })),
        )
        const [busiest] = loads.toSorted((a, b) => b.connections - a.connections)
        await busiest!.node.end("SIGKILL")
        stage.log(`killed ${busiest!.node.name}, which had ${busiest!.connections} connections`)
      },
    }
  },
)
