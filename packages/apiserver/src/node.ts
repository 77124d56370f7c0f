/** The API server on Node: its host and its listener. */

export { listen } from "./http/listener.ts";
export type { Listener } from "./http/listener.ts";
export type { ListenerTls, ListenOptions } from "./http/listen-options.ts";
export { nodeHost } from "./http/node-host.ts";
export { loadTokenSigner } from "./http/node-token-signer.ts";

// Data folders
export { openDataFolder } from "./data/data-folder.ts";
export type { DataFolder, DataFolderOptions } from "./data/data-folder.ts";
export { compactData, exportData, importData, verifyData } from "./data/data-tools.ts";
export type { DataReport } from "./data/data-tools.ts";
export { DataFolderError } from "./storage/disk/disk.ts";

// A store on etcd
export { openEtcd } from "./data/open-etcd.ts";
export type { EtcdOptions } from "./data/open-etcd.ts";
export { EtcdAddressError } from "./storage/etcd/etcd-transport.ts";
