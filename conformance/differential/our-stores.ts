/** The stores below our server, each new and empty. The answers of the server must not depend on them. */
import { openDataFolder, openEtcd } from "@drover/apiserver/node";
import type { ApiServerOptions } from "@drover/apiserver";
import type { Runtime } from "@drover/machinery";
import { realEtcdMissing, startRealEtcd } from "../servers/real-etcd.ts";
import { temporaryFolder } from "../servers/real-program.ts";

/** A store for one server. */
export interface OpenedStore {
  readonly options: Pick<ApiServerOptions, "store">;
  /** Closes it and removes what it has stored. */
  readonly end: () => Promise<void>;
}

export interface OurStore {
  readonly name: string;
  /** Why it cannot be opened here; undefined when it can. */
  readonly missing: string | undefined;
  readonly open: (runtime: Runtime) => Promise<OpenedStore>;
}

export const memory: OurStore = {
  name: "memory",
  missing: undefined,
  open: () => Promise.resolve({ options: {}, end: () => Promise.resolve() }),
};

const disk: OurStore = {
  name: "disk",
  missing: undefined,
  open: async (runtime) => {
    const { path, remove } = temporaryFolder("differential-disk");
    const { store, close } = await openDataFolder(path, { runtime });
    return {
      options: { store },
      end: async () => {
        await close();
        remove();
      },
    };
  },
};

const etcd: OurStore = {
  name: "etcd",
  missing: realEtcdMissing,
  open: async (runtime) => {
    const { url, stop } = await startRealEtcd();
    const store = await openEtcd({ servers: [url] }, runtime);
    return {
      options: { store },
      end: async () => {
        store.close();
        await stop();
      },
    };
  },
};

/** Those that outlive a process. */
export const durableStores: readonly OurStore[] = [disk, etcd];
