/** Makes what every cluster has, where it is not there yet, and learns what is. */
import type { Service } from "@drover/api/core/v1";
import { encodeJson } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import type { ServiceAllocator } from "../builtin/strategies/service/service-allocator.ts";
import { metaOf } from "../registry/meta-of.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Registry } from "../registry/registry.ts";
import { bootstrapObjects } from "./bootstrap-objects.ts";

export interface BootstrapParts {
  readonly objects: ObjectStore;
  readonly registry: Registry;
  readonly allocator: ServiceAllocator;
  readonly serviceCidr: string;
}

export async function bootstrap(handle: Transport, { objects, registry, allocator, serviceCidr }: BootstrapParts): Promise<void> {
  await learnServices({ objects, registry }, (service) => allocator.learn(service));
  const headers = { "user-agent": "kube-apiserver" };
  for (const { path, object } of bootstrapObjects({ serviceCidr, serverServiceIp: firstAddress(serviceCidr), serverPort: 6443 })) {
    const found = await handle({ method: "GET", path: `${path}/${metaOf(object).name ?? ""}`, headers });
    if (found.status === 200) continue;
    const { status, body } = await handle({ method: "POST", path, headers, body: encodeJson(object) });
    if (status !== 201) throw new Error(`a new cluster cannot be set up: POST ${path} was answered with ${status}: ${typeof body === "string" ? body : "(a stream)"}`);
  }
}

/** Calls back with every Service there is. */
export async function learnServices({ objects, registry }: Pick<BootstrapParts, "objects" | "registry">, learn: (service: Service) => void): Promise<void> {
  const services = registry.find({ group: "", version: "v1", resource: "services" });
  if (services === undefined) return;
  const { items } = await objects.store.list(services.storagePrefix);
  for (const stored of items) learn(objects.views(services).object(stored) as unknown as Service);
}

/** "10.0.0.0/24" → "10.0.0.1". */
function firstAddress(cidr: string): string {
  const [network = ""] = cidr.split("/");
  const bytes = network.split(".").map(Number);
  return [...bytes.slice(0, 3), (bytes[3] ?? 0) + 1].join(".");
}
