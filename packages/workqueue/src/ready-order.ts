/**
 * Order of ready keys: tenants take turns; within a tenant the lowest rank goes first.
 *
 *     queue-state.ts → ReadyOrder → one ReadyLine per tenant with ready keys
 */
import { Fifo } from "./fifo.ts";
import type { Placed } from "./fifo.ts";
import { ReadyLine } from "./ready-line.ts";
import type { Ranked } from "./ready-line.ts";

interface Tenant<E extends Ranked> extends Placed {
  readonly name: string;
  readonly line: ReadyLine<E>;
}

/**
 * Guarantees: with n tenants that have ready keys, a tenant waits for at most n − 1 keys of others between two of its own; a tenant
 * without ready keys uses no memory. Without `byTenant` there is a single line and no overhead.
 */
export class ReadyOrder<E extends Ranked & { readonly tenant: string }> {
  readonly #byTenant: boolean;
  readonly #only = new ReadyLine<E>();
  readonly #tenants = new Map<string, Tenant<E>>();
  readonly #turns = new Fifo<Tenant<E>>();

  constructor({ byTenant }: { readonly byTenant: boolean }) {
    this.#byTenant = byTenant;
  }

  push(element: E): void {
    if (!this.#byTenant) return this.#only.push(element);
    const name = element.tenant;
    let tenant = this.#tenants.get(name);
    if (tenant === undefined) {
      tenant = { name, line: new ReadyLine<E>(), place: 0 };
      this.#tenants.set(name, tenant);
      this.#turns.push(tenant);
    }
    tenant.line.push(element);
  }

  shift(): E | undefined {
    if (!this.#byTenant) return this.#only.shift();
    const tenant = this.#turns.shift();
    if (tenant === undefined) return undefined;
    const element = tenant.line.shift();
    if (tenant.line.size > 0) this.#turns.push(tenant);
    else this.#tenants.delete(tenant.name);
    return element;
  }

  /** Changes the rank of a contained element; its tenant keeps its turn. */
  move(element: E, score: number, sequence: number): void {
    const line = this.#byTenant ? this.#tenants.get(element.tenant)?.line : this.#only;
    line?.remove(element);
    element.score = score;
    element.sequence = sequence;
    line?.push(element);
  }
}
