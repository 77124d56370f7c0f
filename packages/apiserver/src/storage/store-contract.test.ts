/** The contract of `Store` on the stores of this package; conformance/apiserver/etcd-store.test.ts runs it on etcd. */
import { testRuntime } from "@drover/machinery/testing";
import { ModelDisk } from "../testing/model-disk.ts";
import { storeContract } from "../testing/store-contract.ts";
import { DiskStore } from "./disk/disk-store.ts";
import { MemoryStore } from "./memory-store.ts";

storeContract("memory", { open: (clock) => new MemoryStore({ clock }) });
storeContract("disk", {
  open: (clock) =>
    DiskStore.open({
      clock,
      disk: new ModelDisk(),
      log: testRuntime().log,
      newStoreId: () => "0123456789abcdef0123456789abcdef",
      segmentBytes: 1000,
      checkpointBytes: 3000,
    }),
});
