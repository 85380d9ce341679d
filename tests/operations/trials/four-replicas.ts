import { startNats } from "../nats"
import { newPostgres } from "../postgres"
import { topologyTrial } from "../topology-trial"

/** Four replicas of each part. Those of tracking compete for the same rows. */
export const fourReplicas = topologyTrial(
  "Four tracking replicas",
  ["nats-server"],
  async stage => {
    const server = await newPostgres(stage, "postgres", "embedded")
    const nats = await startNats(stage, 1)
    return {
      servers: `${nats.version}, ${server.version}`,
      environment: { DATABASE_URL: server.url, NATS_URL: nats.url, REPLICAS: "4" },
      databases: server.url,
      async verify() {
        const { subscriptions_list: subjects } =
          await nats.nodes[0]!.fetchStatus("subsz?subs=1&limit=5000")
        const members = subjects.filter(
          ({ subject }: any) => subject === "tracking.click.record",
        ).length
        stage.verify(
          `${members} members share tracking.click.record`,
          members === 4 ? [] : ["expected 4"],
        )
        return []
      },
    }
  },
)
