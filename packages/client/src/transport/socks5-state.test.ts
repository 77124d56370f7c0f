import { Secret } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { socks5Start, socks5Step } from "./socks5-state.ts";
import type { Socks5Step, Socks5Target } from "./socks5-state.ts";

const login = { username: "me", password: new Secret("pw") };

/** Feeds the proxy's bytes in pieces and collects the client's. */
function talk(target: Socks5Target, pieces: readonly (readonly number[])[]): { readonly said: number[]; readonly end: Socks5Step } {
  const said: number[] = [];
  const take = (step: Socks5Step): Socks5Step => {
    if (step.kind === "more") said.push(...(step.send ?? []));
    return step;
  };
  let step = take(socks5Start(target));
  for (const piece of pieces) if (step.kind === "more") step = take(socks5Step(step.state, Uint8Array.from(piece)));
  return { said, end: step };
}

const ask = [5, 1, 0, 3, 3, 97, 112, 105, 25, 43];
const granted = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0];

describe("socks5", () => {
  it("connects by name without credentials", () => {
    const { said, end } = talk({ host: "api", port: 6443 }, [
      [5, 0],
      [...granted, 9, 9],
    ]);
    expect(said).toEqual([5, 1, 0, ...ask]);
    expect(end).toEqual({ kind: "done", rest: Uint8Array.of(9, 9) });
  });
  it("connects by address if it has one", () => {
    expect(talk({ host: "10.0.0.1", port: 1 }, [[5, 0]]).said).toEqual([5, 1, 0, 5, 1, 0, 1, 10, 0, 0, 1, 0, 1]);
  });
  it("sends the same for any boundaries of the replies", () => {
    // Messages never arrive together: each one waits for the client's.
    const answers = [
      [5, 2],
      [1, 0],
      [5, 0, 0, 3, 2, 111, 107, 0, 80],
    ];
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 13, maxLength: 13 }), (cutAfter) => {
        let place = 0;
        const pieces = answers.flatMap((message) => {
          const cut: number[][] = [[]];
          for (const byte of message) {
            cut.at(-1)?.push(byte);
            if (cutAfter[place++] === true) cut.push([]);
          }
          return cut.filter((piece) => piece.length > 0);
        });
        const { said, end } = talk({ host: "api", port: 6443, login }, pieces);
        expect(said).toEqual([5, 2, 0, 2, 1, 2, 109, 101, 2, 112, 119, ...ask]);
        expect(end).toEqual({ kind: "done", rest: new Uint8Array() });
      }),
    );
  });
  it.each<[string, readonly (readonly number[])[], string]>([
    ["is not a SOCKS proxy", [[72, 84]], "does not speak SOCKS5"],
    ["requires credentials", [[5, 255]], "put them into proxy-url"],
    [
      "does not know the host",
      [
        [5, 0],
        [5, 4, 0, 1, 0],
      ],
      "host unreachable",
    ],
    [
      "sends an unknown reply",
      [
        [5, 0],
        [5, 77, 0, 1, 0],
      ],
      "reply 77",
    ],
    [
      "sends an unknown address type",
      [
        [5, 0],
        [5, 0, 0, 9, 0],
      ],
      "cannot be read",
    ],
  ])("fails when the proxy %s", (_, answers, why) => {
    expect(talk({ host: "api", port: 1 }, answers).end).toEqual({ kind: "failed", why: expect.stringContaining(why) as string });
  });
  it("fails if the credentials are rejected, or are too long", () => {
    expect(
      talk({ host: "api", port: 1, login }, [
        [5, 2],
        [1, 1],
      ]).end,
    ).toMatchObject({ kind: "failed", why: expect.stringContaining("refused the user name or password") as string });
    expect(talk({ host: "x".repeat(256), port: 1 }, []).end.kind).toBe("failed");
    expect(talk({ host: "api", port: 1, login: { username: "", password: new Secret("x") } }, []).end.kind).toBe("failed");
  });
});
