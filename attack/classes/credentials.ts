/** Tokens and identities that were not given to the attacker. */
import type { Arena } from "../arena.ts";
import type { Attack, AttackClass } from "../attack.ts";
import { ask } from "../exchange.ts";
import { maps } from "./paths.ts";

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const forged = (algorithm: string): string =>
  `${base64({ alg: algorithm, kid: "x" })}.${base64({ sub: "system:serviceaccount:kube-system:admin", iss: "kubernetes/serviceaccount", exp: 9e9 })}.AAAA`;

/** Without a client certificate, with this header. */
const denied = (name: string, authorization: string): Attack => ({
  name,
  act: async (arena: Arena) => {
    const { status, text } = await ask({ ...arena.target, cert: "", key: "" }, { path: "/api/v1/secrets", headers: { authorization } });
    if (status !== 401 && status !== 403 && status !== 431 && status !== 400) throw new Error(`answered ${status}: ${text.slice(0, 200)}`);
  },
});

export const credentials: AttackClass = {
  name: "credentials",
  attacks: [
    denied("no token", ""),
    denied("an empty bearer token", "Bearer "),
    denied("a token without signature", `Bearer ${forged("none")}`),
    denied("a token signed with a public key as secret", `Bearer ${forged("HS256")}`),
    denied("a token with a made-up signature", `Bearer ${forged("RS256")}`),
    denied("a token of 60,000 characters", `Bearer ${"a".repeat(60_000)}`),
    denied("a token with 10,000 dots", `Bearer ${".".repeat(10_000)}`),
    denied("a token with deep JSON", `Bearer ${Buffer.from('{"a":'.repeat(5000)).toString("base64url")}.x.y`),
    denied("basic authentication", "Basic YWRtaW46YWRtaW4="),
    denied("the token of the server's prototype", "Bearer __proto__"),
    {
      name: "5,000 wrong tokens",
      limits: { seconds: 40 },
      act: async (arena) => {
        for (let batch = 0; batch < 50; batch++)
          await Promise.all(
            Array.from({ length: 100 }, async (_, n) => {
              const { status } = await ask(
                { ...arena.target, cert: "", key: "" },
                { path: maps, headers: { authorization: `Bearer t${batch}-${n}` } },
              );
              if (status !== 401) throw new Error(`answered ${status}`);
            }),
          );
      },
    },
    {
      name: "impersonation headers with 3,000 groups",
      act: async (arena) => {
        const { status } = await arena.get(maps, {
          "impersonate-user": "x",
          "impersonate-extra-__proto__": "y",
          "impersonate-group": "g".repeat(30_000),
        });
        if (status >= 500) throw new Error(`answered ${status}`);
      },
    },
  ],
};
