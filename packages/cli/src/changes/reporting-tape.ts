/**
 * A tape that reports the writes of controllers at the end of a run. Skips frequent writes: status, events, leases,
 * bindings.
 *
 *     controllers → reportingTape → tape        → ChangeLine: "replicaset-controller created 3 Pods for shop/web-5d8, because …"
 */
import { definedOnly } from "@drover/machinery";
import { causeLine } from "@drover/controller";
import type { CallRecord, RecordingTape, Tape } from "@drover/controller";
import type { Report } from "./change-line.ts";
import type { KindWords } from "./kind-words.ts";
import { requestPath } from "./request-path.ts";

/**
 * Controllers whose writes are not reported: kubelets and scheduler show up as pod changes, Endpoints repeat
 * EndpointSlices, and the rest write the same objects in every namespace.
 */
const silentControllers: ReadonlySet<string> = new Set([
  "kubelet",
  "scheduler",
  "endpoints-controller",
  "root-ca-certificate-publisher-controller",
  "serviceaccount-controller",
  "node-lifecycle-controller",
]);
const silentResources: ReadonlySet<string> = new Set(["events", "leases"]);
/** Every new cluster completes these roles from others; that says nothing about what the user does. */
const rolesOfEveryCluster: ReadonlySet<string> = new Set(["admin", "edit", "view"]);

/** Keys of the garbage collector are uids, which say nothing to people. */
const uid = /^[0-9a-f-]{36}$/;

/** Receives the changes, and the names of their kinds. */
export interface ReportingTapeOptions {
  readonly report: Report;
  readonly kinds: KindWords;
}

/** Returns a tape that reports the writes and failures of controllers. */
export function reportingTape(tape: RecordingTape, { report, kinds }: ReportingTapeOptions): Tape {
  return {
    runs: (filter) => tape.runs(filter),
    begin: (start) => {
      const run = tape.begin(start);
      if (silentControllers.has(start.controller)) return run;
      const writes: CallRecord[] = [];
      return {
        call: (call) => {
          run.call(call);
          if (isReported(call)) writes.push(call);
        },
        end: (result) => {
          run.end(result);
          if (result.type === "retry" && !result.isConflict)
            report({
              who: start.controller,
              did: `failed for ${start.key}, will retry: ${result.error.split("\n", 1)[0] ?? ""}`,
              kind: "",
              name: "",
            });
          if (writes.length === 0) return;
          const why = causeLine(tape.describe(start.causes), start.controller);
          for (const write of writes)
            report({
              who: start.controller,
              ...writtenObject(write, kinds),
              ...definedOnly({ of: uid.test(start.key) ? undefined : start.key, why }),
            });
        },
      };
    },
  };
}

function isReported({ method, path, status = 0 }: CallRecord): boolean {
  if (method === "GET" || status < 200 || status > 299) return false;
  const about = requestPath(path);
  // A namespace is emptied kind by kind, mostly without objects; its end is reported instead.
  const isCollection = method === "DELETE" && about?.name === "";
  return (
    about !== undefined &&
    !isCollection &&
    (about.subresource === "" || about.subresource === "finalize") &&
    !silentResources.has(about.resource) &&
    !(about.resource === "clusterroles" && rolesOfEveryCluster.has(about.name))
  );
}

function writtenObject(
  { method, path, wrote }: CallRecord,
  kinds: KindWords,
): { readonly did: string; readonly kind: string; readonly name: string } {
  const about = requestPath(path);
  if (about === undefined) return { did: writeWord(method), kind: "", name: "" };
  const { namespace, name, subresource } = about;
  const kind = kinds.word(about);
  if (subresource === "finalize") return { did: "emptied", kind, name };
  return { did: writeWord(method), kind, name: name === "" ? (wrote?.key ?? "") : `${namespace}${namespace === "" ? "" : "/"}${name}` };
}

/** "POST" → "created" */
export function writeWord(method: string): string {
  return method === "POST" ? "created" : method === "DELETE" ? "deleted" : "changed";
}
