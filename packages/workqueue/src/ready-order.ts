/**
 * Whose turn it is: tenants take turns, and within one tenant the best rank comes first.
 *
 *     queue-state.ts → ReadyOrder → one ReadyLine per tenant that has something ready
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
 * Guarantees: with n tenants that have something ready, a tenant waits for at most n − 1 others between two turns, however much they
 * have; a tenant without ready keys costs nothing. Where nobody is told apart by tenant there is one line, at no cost.
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

  /** Gives an element that is inside another rank; its tenant keeps its turn. */
  move(element: E, score: number, sequence: number): void {
    const line = this.#byTenant ? this.#tenants.get(element.tenant)?.line : this.#only;
    line?.remove(element);
    element.score = score;
    element.sequence = sequence;
    line?.push(element);
  }
}
