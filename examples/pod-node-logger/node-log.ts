/** Remembers the logged pods by uid: a recreated pod with the same name is a new pod. */
import type { DeepReadonly } from "drover";
import type { Pod } from "drover/kinds";

export class NodeLog {
  readonly #say: (line: string) => void;
  readonly #told = new Map<string, string>();

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Logs a pod that has a node and is not logged yet; forgets a pod that is gone. */
  look(key: string, pod: DeepReadonly<Pod> | undefined): void {
    const uid = pod?.metadata.uid;
    if (uid === undefined) this.#told.delete(key);
    if (uid === undefined || pod?.spec?.nodeName === undefined || this.#told.get(key) === uid) return;
    this.#told.set(key, uid);
    this.#say(`pod ${key} is on ${pod.spec.nodeName}`);
  }
}
