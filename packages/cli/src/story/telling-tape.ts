/**
 * A tape that tells what controllers write, as soon as a run is over. What every rollout has by the dozen (status,
 * events, leases, bindings) is not told.
 *
 *     controllers → tellingTape → tape        → Happening: "replicaset-controller created 3 Pods for shop/web-5d8, because …"
 */
import type { CallRecord, RecordingTape, Tape } from "@drover/controller";
import { causeLine } from "./cause-line.ts";
import type { Tell } from "./happening.ts";
import { kindWord } from "./kind-word.ts";
import { requestPath } from "./request-path.ts";

/**
 * The kubelets' deeds are told of the pods themselves, Endpoints say what EndpointSlices say, and what every namespace
 * gets surprises nobody.
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

/** The garbage collector's keys say nothing to people. */
const uid = /^[0-9a-f-]{36}$/;

export function tellingTape(tape: RecordingTape, tell: Tell): Tape {
  return {
    runs: (filter) => tape.runs(filter),
    begin: (start) => {
      const run = tape.begin(start);
      if (silentControllers.has(start.controller)) return run;
      const writes: CallRecord[] = [];
      return {
        call: (call) => {
          run.call(call);
          if (isTold(call)) writes.push(call);
        },
        end: (result) => {
          run.end(result);
          if (result.type === "retry" && !result.isConflict)
            tell({
              who: start.controller,
              did: `failed for ${start.key}, and tries again: ${result.error.split("\n", 1)[0] ?? ""}`,
              kind: "",
              name: "",
            });
          if (writes.length === 0) return;
          const why = causeLine(tape.describe(start.causes), start.controller);
          for (const write of writes)
            tell({
              who: start.controller,
              ...deed(write),
              ...(uid.test(start.key) ? {} : { of: start.key }),
              ...(why === undefined ? {} : { why }),
            });
        },
      };
    },
  };
}

function isTold({ method, path, status = 0 }: CallRecord): boolean {
  if (method === "GET" || status < 200 || status > 299) return false;
  const about = requestPath(path);
  // A namespace is emptied kind by kind, of most of which there is nothing; that it is done is told at its end.
  const isCollection = method === "DELETE" && about?.name === "";
  return (
    about !== undefined &&
    !isCollection &&
    (about.subresource === "" || about.subresource === "finalize") &&
    !silentResources.has(about.resource)
  );
}

function deed({ method, path }: CallRecord): { readonly did: string; readonly kind: string; readonly name: string } {
  const { resource = "", namespace = "", name = "", subresource = "" } = requestPath(path) ?? {};
  if (subresource === "finalize") return { did: "emptied", kind: kindWord(resource), name };
  return { did: writeWord(method), kind: kindWord(resource), name: name === "" ? "" : `${namespace}${namespace === "" ? "" : "/"}${name}` };
}

/** "POST" → "created" */
export function writeWord(method: string): string {
  return method === "POST" ? "created" : method === "DELETE" ? "deleted" : "changed";
}
