/** Lists, selectors, continue tokens and query parameters that were not made for reading. */
import type { Attack, AttackClass } from "../attack.ts";
import { expectHandled, expectRefusal, expectStatus } from "../expect-answer.ts";
import { maps, pods } from "./paths.ts";

const encoded = encodeURIComponent;
const asked = (name: string, path: () => string, check = expectHandled): Attack => ({
  name,
  act: async (arena) => check(await arena.get(path())),
});
const token = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export const questions: AttackClass = {
  name: "questions",
  attacks: [
    asked(
      "a label selector of 30,000 characters",
      () => `${maps}?labelSelector=${encoded(`a in (${Array.from({ length: 4000 }, (_, n) => `v${n}`).join()})`)}`,
    ),
    asked(
      "a label selector with 3,000 requirements",
      () => `${maps}?labelSelector=${encoded(Array.from({ length: 3000 }, (_, n) => `k${n}!=v`).join())}`,
    ),
    asked("a label selector with unbalanced parentheses", () => `${maps}?labelSelector=${encoded("a in (".repeat(5000))}`, expectRefusal),
    asked("a field selector on an unknown field", () => `${maps}?fieldSelector=${encoded("data.k=v")}`, expectRefusal),
    asked(
      "a field selector with 2,000 terms",
      () => `${pods}?fieldSelector=${encoded(Array.from({ length: 2000 }, () => "metadata.name!=x").join())}`,
    ),
    asked(
      "a field selector with escapes without end",
      () => `${pods}?fieldSelector=${encoded(`metadata.name=${"\\".repeat(20_001)}`)}`,
      expectRefusal,
    ),
    asked("a limit of 2^63", () => `${maps}?limit=9223372036854775807`),
    asked("a limit of 2^64", () => `${maps}?limit=18446744073709551616`, expectRefusal),
    asked("a negative limit", () => `${maps}?limit=-1`),
    asked("a forged continue token", () => `${maps}?limit=1&continue=${token({ v: "meta.k8s.io/v1", rv: 1, start: "../../secrets/" })}`),
    asked(
      "a continue token that leads elsewhere",
      () => `${maps}?limit=1&continue=${token({ v: "meta.k8s.io/v1", rv: -1, start: "/registry/secrets\u0000" })}`,
    ),
    asked("a continue token that is no JSON", () => `${maps}?limit=1&continue=AAAA`, expectRefusal),
    asked("a continue token of 50,000 characters", () => `${maps}?limit=1&continue=${"A".repeat(50_000)}`, expectRefusal),
    asked(
      "a resourceVersion from the future",
      () => `${maps}?resourceVersion=99999999999`,
      (answer) => expectStatus(answer, 504),
    ),
    asked("1,000 times the same parameter", () => `${maps}?${"limit=1&".repeat(1000)}`),
    asked("parameters named __proto__", () => `${maps}?__proto__=1&constructor=2&limit[__proto__]=3`),
    {
      name: "an accept header with 1,500 alternatives",
      act: async (arena) =>
        expectHandled(await arena.get(maps, { accept: Array.from({ length: 1500 }, (_, n) => `application/x${n};q=0.${n}`).join() })),
    },
    {
      name: "100 lists of everything as tables",
      limits: { seconds: 40 },
      act: async (arena) => {
        const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
        for (let round = 0; round < 100; round++) expectStatus(await arena.get("/api/v1/pods?includeObject=Object", { accept }), 200);
      },
    },
    {
      name: "40 requests for all OpenAPI documents at once",
      limits: { seconds: 40 },
      act: async (arena) => {
        const paths = ["/openapi/v2", "/openapi/v3/api/v1", "/openapi/v3/apis/apps/v1", "/apis"];
        await Promise.all(Array.from({ length: 40 }, async (_, n) => expectStatus(await arena.get(paths[n % 4] ?? ""), 200)));
      },
    },
  ],
};
