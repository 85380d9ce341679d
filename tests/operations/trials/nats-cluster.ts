import { startNats } from "../nats"
import { onTopology } from "../on-topology"
import { newPostgres } from "../postgres"

/** Three NATS servers, of which the one with the most connections is killed under load. */
export const natsCluster = onTopology(
  "A NATS cluster that loses a node",
  ["nats-server"],
  async stage => {
    const server = await newPostgres(stage, "postgres", "embedded")
    const nats = await startNats(stage, 3)

    return {
      servers: `three nodes of ${nats.version}, ${server.version}`,
      environment: { DATABASE_URL: server.url, NATS_URL: nats.url, REPLICAS: "2" },
      databases: server.url,
      async strike() {
        const crowds = await Promise.all(
          nats.nodes.map(async node => ({
            node,
            connections: (await node.about("varz")).connections as number,
          })),
        )
        const [busiest] = crowds.toSorted((a, b) => b.connections - a.connections)
        await busiest!.node.end("SIGKILL")
        stage.tell(`killed ${busiest!.node.name}, which had ${busiest!.connections} connections`)
      },
    }
  },
)
