import { describe, expect, it } from "vitest";
import type { AuditedRequest } from "./audit.ts";
import { leaseTerms, strayWrites } from "./terms.ts";

const request = (by: string, atMs: number, more: Partial<AuditedRequest>): AuditedRequest => ({
  by,
  verb: "update",
  resource: "configmaps",
  name: "a",
  receivedMs: atMs,
  answeredMs: atMs + 5,
  status: 200,
  ...more,
});
const claim = (by: string, atMs: number, commit: number, holder: string = `${by}_1`): AuditedRequest =>
  request(by, atMs, { resource: "leases", name: "l", commit, lease: { holder, durationMs: 3000 } });
const write = (by: string, atMs: number, commit?: number, more: Partial<AuditedRequest> = {}): AuditedRequest =>
  request(by, atMs, { ...(commit === undefined ? {} : { commit }), ...more });
const stray = (...requests: readonly AuditedRequest[]): string[] =>
  strayWrites(requests, { lease: "l", isReplica: (agent) => agent.startsWith("r") }).map((text) => text.replace(/.* at \S+: /, ""));

describe("the terms of a lease", () => {
  it("follow one another, renewals included, and end with the first write by another holder", () => {
    const terms = leaseTerms(
      [claim("r1", 0, 10), claim("r1", 500, 12), claim("r1", 900, 14, ""), claim("r2", 1000, 15), write("r2", 1100, 16)],
      "l",
    );
    expect(terms.map(({ replica, writes, endedBy }) => [replica, writes.map(({ commit }) => commit), endedBy?.commit])).toEqual([
      ["r1", [10, 12], 14],
      ["", [14], 15],
      ["r2", [15], undefined],
    ]);
  });

  it("are in the order of commits, whatever the order of the lines", () => {
    expect(leaseTerms([claim("r2", 9, 20), claim("r1", 10, 10)], "l").map(({ replica }) => replica)).toEqual(["r1", "r2"]);
  });

  it("do not count refused writes, reads and other leases", () => {
    const refused = { ...claim("r2", 100, 11), status: 409 };
    expect(
      leaseTerms([claim("r1", 0, 10), refused, { ...claim("r3", 100, 12), verb: "get" }, { ...claim("r4", 100, 13), name: "other" }], "l"),
    ).toHaveLength(1);
  });

  it("have one writer each", () => {
    expect(() => leaseTerms([claim("r1", 0, 10), claim("r2", 100, 11, "r1_1")], "l")).toThrow(
      "r2 wrote into the lease that r1_1 has it, and so did r1",
    );
  });
});

describe("writes without the lease", () => {
  it("do not occur when each replica writes in its own term", () => {
    expect(
      stray(
        claim("r1", 0, 10),
        write("r1", 100, 11),
        claim("r1", 500, 12),
        write("r1", 3400, 13),
        claim("r2", 3600, 14),
        write("r2", 3650, 15),
        claim("r1", 9000, 20),
        write("r1", 9100, 21),
      ),
    ).toEqual([]);
  });

  it("are not those of other clients, nor refused ones", () => {
    expect(
      stray(
        claim("r1", 0, 10),
        write("kubectl", 100, 11),
        write("r2", 100, undefined, { status: 409 }),
        write("r2", 100, undefined, { status: 403 }),
      ),
    ).toEqual([]);
  });

  it("are those committed after another replica took the lease, also when both were received at the same time", () => {
    expect(stray(claim("r1", 0, 10), claim("r2", 2000, 11), write("r1", 2000, 12))).toEqual(["r2 had the lease when it was committed"]);
    expect(stray(claim("r1", 0, 10), claim("r2", 2000, 12), write("r1", 2000, 11))).toEqual([]);
  });

  it("are those committed before the lease was taken", () => {
    expect(stray(write("r1", 100, 9), claim("r1", 0, 10))).toEqual(["nobody had taken the lease yet"]);
    expect(stray(claim("r1", 0, 8), write("r2", 100, 9), claim("r2", 50, 10))).toEqual(["r1 had the lease when it was committed"]);
  });

  it("are those committed after the lease was released", () => {
    expect(stray(claim("r1", 0, 10), claim("r1", 100, 11, ""), write("r1", 101, 12))).toEqual([
      "nobody had the lease when it was committed",
    ]);
  });

  it("are those of a replica that never had it", () => {
    expect(stray(claim("r1", 0, 10), write("r2", 100))).toEqual(["it had not had the lease before"]);
  });

  it("are those received after the lease expired, although no replica has taken it", () => {
    expect(stray(claim("r1", 0, 10), write("r1", 3000, 11), write("r1", 3001, 12))).toEqual([
      "its lease of 3000 ms had last been renewed 3001 ms before",
    ]);
  });

  it("are also those that may not have been committed: by the server's clock", () => {
    expect(
      stray(
        claim("r1", 0, 10),
        claim("r2", 2000, 11),
        write("r1", 2005, undefined, { status: 500 }),
        write("r1", 2006, undefined, { status: 504 }),
      ),
    ).toEqual(["r2 had ended its term 1 ms before"]);
  });

  it("are also those that changed nothing: by the server's clock, since their version is an older one", () => {
    const before = [claim("r1", 0, 10), write("r1", 100, 11), claim("r2", 2000, 12)];
    expect(stray(...before, write("r2", 2100, 11))).toEqual([]);
    expect(stray(...before, write("r1", 2100, 11))).toEqual(["r2 had ended its term 95 ms before"]);
  });

  it("are reported with replica, object and time", () => {
    expect(strayWrites([claim("r1", 0, 10), write("r2", 1500, 11)], { lease: "l", isReplica: () => true })).toEqual([
      "r2 update configmaps/a at 1970-01-01T00:00:01.500Z: r1 had the lease when it was committed",
    ]);
  });
});
