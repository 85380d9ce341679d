import { startNats } from "../nats"
import { onTopology } from "../on-topology"
import { newPostgres } from "../postgres"

/** Four of each part; the clicks of each tracking replica queue at the same rows. */
export const fourReplicas = onTopology("Four tracking replicas", ["nats-server"], async stage => {
  const server = await newPostgres(stage, "postgres", "embedded")
  const nats = await startNats(stage, 1)
  return {
    servers: `${nats.version}, ${server.version}`,
    environment: { DATABASE_URL: server.url, NATS_URL: nats.url, REPLICAS: "4" },
    databases: server.url,
    async verify() {
      const { subscriptions_list: subjects } = await nats.nodes[0]!.about("subsz?subs=1&limit=5000")
      const members = subjects.filter(
        ({ subject }: any) => subject === "tracking.click.record",
      ).length
      stage.verify(
        `${members} members share tracking.click.record`,
        members === 4 ? [] : ["not four"],
      )
      return []
    },
  }
})
