/** The sample of "Write a controller for the manager" in packages/controller-manager/README.md, which shows everything below this line. */
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { userAgent } from "@drover/client";
import { done, kindSource, mappedHandler, needOf } from "@drover/controller";
import type { ControllerContext, ControllerDescriptor } from "@drover/controller-manager";
import { isAlreadyExists, objectKey } from "@drover/machinery";

const name = "team-config-controller";

/** Creates a ConfigMap "team" in every namespace with a label "team". */
export const teamConfigController: ControllerDescriptor = { name, aliases: ["team-config"], add: addTeamConfig };

function addTeamConfig({ manager, events, userAgent: program = "kube-controller-manager" }: ControllerContext): void {
  const { cluster } = manager;
  const recorder = events.recorder({ controller: name, instance: program });
  const namespaces = kindSource(Namespace, { cluster, writers: false, predicates: [({ type }) => type !== "deleted"] });
  const controller = manager.controller({
    name,
    workers: 2,
    through: [userAgent(`${program}/${name}`)],
    writes: [needOf(ConfigMap, ["create"])],
    reconcile: async ({ key, client }) => {
      const namespace = namespaces.informer?.get(key);
      const team = namespace?.metadata.labels?.["team"];
      if (namespace === undefined || team === undefined) return done;
      try {
        await client.create(ConfigMap, { metadata: { name: "team" }, data: { team } }, { namespace: key });
      } catch (error) {
        if (isAlreadyExists(error)) return done;
        throw error; // retried with backoff
      }
      recorder.eventf({ regarding: namespace, type: "Normal", reason: "Created", action: "Create", note: "Created ConfigMap team" });
      return done;
    },
  });
  controller.watch(namespaces);
  // A deleted ConfigMap enqueues its namespace, which creates it again.
  controller.watch(
    kindSource(ConfigMap, {
      cluster,
      writers: false,
      predicates: [({ type, object }) => type === "deleted" && object.metadata.name === "team"],
      handler: mappedHandler(({ metadata }) => [objectKey(metadata.namespace ?? "")]),
    }),
  );
}
