/**
 * An operator for tests, started with `app.run()` as a program of its own: an external call that fails, and a referenced Secret.
 *
 *     KUBECONFIG=… node ask-program.js
 *
 * `data.do` of a ConfigMap tells what its reconcile does: "fail", "stop" or nothing special.
 */
import { operator, terminal } from "drover";
import { ConfigMap, Secret } from "drover/kinds";

const app = operator({ name: "asked" });
app.controller(ConfigMap, {
  name: "maps",
  owns: { copy: Secret },
  when: ({ metadata: { name = "", labels } }) => labels?.["excluded"] === undefined && !name.startsWith("kube-"),
  desired: ({ object }) => ({
    copy: {
      metadata: { name: object.metadata.name },
      data: { password: Buffer.from(object.data?.["password"] ?? "").toString("base64") },
    },
  }),
  reconcile: ({ object: { data = {} } }) => {
    if (data["do"] === "fail") throw new Error("POST https://dns.example.com/records: connection refused");
    if (data["do"] === "stop") throw terminal("the zone does not exist");
  },
});
await app.run({ watchNamespaces: ["default"], permissions: "off" });
