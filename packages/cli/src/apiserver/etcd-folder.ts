/**
 * Finds the folder of the etcd of `drover envtest`, in which the API server keeps its data.
 *
 *     http://127.0.0.1:2379 → GET /drover/store → { folder, syncs }
 */
import { get } from "node:http";
import { join } from "node:path";
import { decodeJson, errorCode, errorText, isJsonObject, poll } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { CommandError, isCommandError } from "../command-error.ts";

/** Where the data are, and whether writes are synced. */
export interface EtcdFolder {
  readonly folder: string;
  readonly syncs: "asked" | "never";
}

export interface EtcdFolderOptions {
  readonly etcd: string;
  /** Separates the data of several servers: "/registry". */
  readonly prefix: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The path at which the etcd of `drover envtest` describes its folder. */
export const storePath = "/drover/store";
/** As long as kube-apiserver waits for an etcd that does not listen yet. */
const patienceMs = 20_000;
const answerMs = 5000;
const answerCharactersMax = 64 * 1024;

/** Waits for an etcd that does not listen yet. Rejects with a `CommandError` if there is none, or another one than that of drover. */
export async function etcdFolder({ etcd, prefix, clock, signal }: EtcdFolderOptions): Promise<EtcdFolder> {
  let text = "";
  const ask = async (): Promise<boolean> => {
    try {
      text = await answerOf(new URL(storePath, etcd).href);
      return true;
    } catch (error) {
      if (errorCode(error) === "ECONNREFUSED" && !signal.aborted) return false;
      throw new CommandError(`--etcd-servers: ${etcd} does not answer: ${errorText(error)}`, { cause: error });
    }
  };
  await poll(clock, { interval: 50, immediate: true, timeout: patienceMs, signal }, ask).catch((error: unknown) => {
    if (isCommandError(error)) throw error;
    throw new CommandError(`--etcd-servers: nothing listens at ${etcd}; start the etcd of drover envtest there, or omit the flag`, {
      cause: error,
    });
  });
  const answer = storeOf(text);
  if (answer === undefined)
    throw new CommandError(
      `--etcd-servers: ${etcd} is not the etcd of drover envtest, and drover apiserver does not store in another one; use --data FOLDER, or omit the flag`,
    );
  return { folder: join(answer.folder, "drover", encodeURIComponent(prefix)), syncs: answer.syncs };
}

function storeOf(text: string): EtcdFolder | undefined {
  try {
    const value = decodeJson(text);
    if (!isJsonObject(value)) return undefined;
    const { folder, syncs } = value;
    return typeof folder === "string" && (syncs === "asked" || syncs === "never") ? { folder, syncs } : undefined;
  } catch {
    return undefined;
  }
}

function answerOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = get(url, { agent: false, timeout: answerMs }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > answerCharactersMax) asking.destroy(new Error("the answer is too long"));
      });
      response.on("end", () => resolve(text));
      response.on("error", reject);
    });
    asking.on("timeout", () => asking.destroy(new Error(`no answer within ${answerMs / 1000} s`)));
    asking.on("error", reject);
  });
}
