/** Names that try to leave their place, or that JavaScript gives a meaning to. */
import type { Attack, AttackClass } from "../attack.ts";
import { expectHandled, expectRefusal, expectStatus } from "../expect-answer.ts";
import { maps } from "./paths.ts";

const special = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];

const read = (name: string): Attack => ({
  name: `reading the name ${name.slice(0, 30)}`,
  act: async (arena) => expectRefusal(await arena.get(`${maps}/${name}`)),
});

export const names: AttackClass = {
  name: "names",
  attacks: [
    ...["..%2f..%2fsecrets", "%2e%2e", "a%2fb", "a%00b", "a%0d%0ab", "%c0%ae%c0%ae", "a".repeat(5000), "%ff%fe"].map(read),
    ...special.map((name): Attack => ({
      name: `data, labels and annotations named ${name}`,
      act: async (arena) => {
        const body = `{"metadata":{"name":"special-${name.toLowerCase().replaceAll("_", "")}","annotations":{"${name}":"v"}},"data":{"${name}":"v"},"${name}":{"polluted":"yes"}}`;
        expectHandled(await arena.post(maps, body));
        const { text } = await arena.get("/api/v1/namespaces/default");
        if (text.includes("polluted")) throw new Error("the prototype of all objects was changed");
      },
    })),
    ...[
      "/apis/__proto__/v1/constructor",
      "/api/v1/__proto__",
      "/apis/constructor",
      "/api/v1/namespaces/__proto__/pods",
      "/openapi/v3/__proto__",
      "/metrics/../api",
    ].map((path): Attack => ({ name: `the path ${path}`, act: async (arena) => expectHandled(await arena.get(path)) })),
    {
      name: "a namespace named __proto__",
      act: async (arena) => expectRefusal(await arena.post("/api/v1/namespaces", { metadata: { name: "__proto__" } })),
    },
    {
      name: "5,000 generated names with one prefix",
      limits: { seconds: 60 },
      act: async (arena) => {
        for (let batch = 0; batch < 100; batch++)
          await Promise.all(
            Array.from({ length: 50 }, async () =>
              expectStatus(await arena.post(maps, { metadata: { generateName: "g-", labels: { g: "g" } } }), 201),
            ),
          );
        expectStatus(await arena.ask({ method: "DELETE", path: `${maps}?labelSelector=g%3Dg`, timeoutMs: 40_000 }), 200);
      },
    },
  ],
};
