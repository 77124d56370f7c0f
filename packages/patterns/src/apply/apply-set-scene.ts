/** A namespace, an owner in it, and a client whose requests are counted, for suites of apply sets. */
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import type { Client } from "@drover/client";
import type { DeepReadonly, HttpRequest, Kind, KubeObject, Runtime, Transport } from "@drover/machinery";
import { createApplyMemory } from "../index.ts";
import type { ApplyContext, ApplyMemory, DesiredObject, SetOwner } from "../index.ts";

/** What one test needs. */
export interface ApplyScene {
  readonly namespace: string;
  /** Client whose requests are counted and, in some tests, disturbed. */
  readonly client: Client;
  /** A second client of the same server, to cause drift and to verify. */
  readonly others: Client;
  /** The current owner on the server. */
  readonly owner: () => Promise<SetOwner>;
  /** A context with a memory that lasts as long as the scene. */
  readonly context: (changes?: Partial<ApplyContext>) => ApplyContext;
  readonly memory: ApplyMemory;
  /** The requests since the last call, by default without reads. */
  readonly sent: (options?: { readonly reads?: boolean }) => readonly string[];
}

/** "PATCH configmaps/settings", with "?dryRun" for dry runs. */
export function requestWords({ method, path }: HttpRequest): string {
  const [place = "", query = ""] = path.split("?");
  return `${method} ${place.replace(/^\/apis?\/(?:[^/]+\/)?v[^/]+\//, "").replace(/^namespaces\/[^/]+\/(?=.)/, "")}${query.includes("dryRun") ? "?dryRun" : ""}`;
}

/** Creates the namespace and the owner in it: a ConfigMap, the simplest object with a uid. */
export async function applyScene(transport: Transport, runtime: Runtime, namespace: string): Promise<ApplyScene> {
  const { clock, log } = runtime;
  let requests: HttpRequest[] = [];
  const counted: Transport = (request) => {
    requests.push(request);
    return transport(request);
  };
  const others = createClient({ transport, clock, log, namespace, fieldManager: "others" });
  const client = createClient({ transport: counted, clock, log, namespace });
  const memory = createApplyMemory();
  await others.create(Namespace, { metadata: { name: namespace } });
  await others.create(ConfigMap, { metadata: { name: "owner" } });
  return {
    namespace,
    client,
    others,
    memory,
    owner: async () => ({ kind: ConfigMap, object: await others.get(ConfigMap, "owner") }),
    context: (changes = {}) => ({ client, clock, log, signal: new AbortController().signal, memory, ...changes }),
    sent: ({ reads = false } = {}) => {
      const since = requests;
      requests = [];
      return since.filter(({ method }) => reads || method !== "GET").map(requestWords);
    },
  };
}

/** A desired object, in short. */
export const desired = <T extends KubeObject>(
  kind: Kind<T>,
  object: DeepReadonly<NoInfer<T>>,
  more: Omit<DesiredObject<T>, "kind" | "object"> = {},
): DesiredObject => ({ kind, object, ...more });

/** A ConfigMap with this data. */
export const configMap = (name: string, data: Readonly<Record<string, string>> = {}): DesiredObject =>
  desired(ConfigMap, { metadata: { name }, data });
