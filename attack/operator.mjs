/**
 * The operator under attack, from the built package: one ConfigMap for each Sheep, and its text in the status. What the author's code
 * does depends on `spec.behaviour`, so that an attacker who may only write objects reaches it.
 */
import { condition, defineResource, operator } from "drover";
import { ConfigMap } from "drover/kinds";
import { z } from "zod";

export const Sheep = defineResource({
  group: "attack.drover.dev",
  version: "v1",
  kind: "Sheep",
  plural: "sheep",
  spec: z.object({ text: z.string().default(""), behaviour: z.string().default("calm") }),
  status: z.object({ text: z.string().default("") }),
});

const throwing = (name) =>
  Object.defineProperty(new Error("hidden"), name, {
    get: () => {
      throw new Error(`the getter of ${name} throws`);
    },
  });
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const cycle = () => {
  const error = new Error("cycle");
  error.cause = error;
  return error;
};
/** What a reconcile throws. */
const thrown = {
  "throws an error": () => new Error("plain"),
  "throws undefined": () => undefined,
  "throws null": () => null,
  "throws a symbol": () => Symbol("thrown"),
  "throws a function": () => () => undefined,
  "throws a bigint": () => 1n,
  "throws an object without prototype": () => Object.create(null),
  "throws a revoked proxy": revoked,
  "throws a cycle": cycle,
  "throws a long message": () => new Error("x".repeat(20_000_000)),
  "throws a throwing message": () => throwing("message"),
  "throws a throwing name": () => throwing("name"),
  "throws a throwing stack": () => throwing("stack"),
  "throws a throwing cause": () => throwing("cause"),
  "throws a throwing code": () => throwing("code"),
  "throws a message that is no text": () => Object.assign(new Error(), { message: { toString: null } }),
  "throws many causes": () => Array.from({ length: 100_000 }).reduce((cause) => new Error("link", { cause }), new Error("first")),
  "throws many errors": () =>
    new AggregateError(
      Array.from({ length: 100_000 }, () => new Error("one")),
      "many",
    ),
};

export const app = operator({ name: "attacked" });
app.controller(Sheep, {
  owns: { map: ConfigMap },
  desired: ({ object }) => {
    const { behaviour, text } = object.spec;
    if (behaviour === "desires a throw") throw revoked();
    if (behaviour === "desires a cycle") {
      const data = {};
      data.self = data;
      return { map: { data } };
    }
    if (behaviour === "desires a megabyte") return { map: { data: { text: "x".repeat(1_000_000) } } };
    return { map: { data: { text } } };
  },
  reconcile: async ({ object }) => {
    const { behaviour } = object.spec;
    const make = thrown[behaviour];
    if (make !== undefined) throw make();
    if (behaviour === "blocks") for (const end = performance.now() + 300; performance.now() < end;);
    if (behaviour === "never ends") await new Promise(() => undefined);
    if (behaviour === "rejects elsewhere") void Promise.reject(new Error("nobody waits for this")).catch(() => undefined);
  },
  status: ({ object }) => {
    if (object.spec.behaviour === "throws in status") throw throwing("message");
    return { text: object.spec.text.slice(0, 100), conditions: [condition("Ready", true, "Fed", "ok")] };
  },
  cleanup: async ({ object }) => {
    if (object.spec.behaviour === "throws in cleanup") throw revoked();
  },
});

await app.run({ leaderElection: false });
