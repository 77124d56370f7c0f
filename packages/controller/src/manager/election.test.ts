import { createClient } from "@drover/client";
import { testRuntime } from "@drover/machinery/testing";
import { expect, it } from "vitest";
import { holderOf } from "../leader/lease-record.ts";
import { LeaseServer } from "../leader/testing/lease-server.ts";
import { createElection } from "./election.ts";

const never = (): Promise<void> => new Promise(() => undefined);

it("createElection asks on stop how much time the work has left, and whether to release the lease", async () => {
  for (const hasEnded of [true, false]) {
    for (const releaseOnStop of [true, false]) {
      const runtime = testRuntime();
      const { clock } = runtime;
      const server = new LeaseServer();
      const [client, own] = [() => Promise.reject(new Error("not this way")), server.transport].map((transport) =>
        createClient({ transport, ...runtime, namespace: "shop" }),
      );
      if (client === undefined || own === undefined) throw new Error("there are two");
      let drainMs = 0;
      const elector = createElection(
        { namespace: "shop", name: "web", identity: "me", client: own, releaseOnStop },
        { runtime, client, hooks: { lead: never, drainMs: () => drainMs, hasEnded: () => hasEnded } },
      );
      const stop = new AbortController();
      let isOver = false;
      void elector.run(stop.signal).then(() => (isOver = true));
      await clock.settle();
      drainMs = 5000;
      stop.abort();
      await clock.advance(4999);
      expect([isOver, elector.isLeader]).toEqual([false, true]);
      await clock.advance(1);
      expect([isOver, elector.isLeader, holderOf(server.lease)]).toEqual([true, false, hasEnded && releaseOnStop ? "" : "me"]);
    }
  }
});
