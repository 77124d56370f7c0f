/** Which pods have been told about. By uid: a pod that comes back under its old name is another one. */
import type { DeepReadonly } from "drover";
import type { Pod } from "drover/kinds";

export class NodeLog {
  readonly #say: (line: string) => void;
  readonly #told = new Map<string, string>();

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Tells of a pod that has a node and was not told of; forgets one that is gone. */
  look(key: string, pod: DeepReadonly<Pod> | undefined): void {
    const uid = pod?.metadata.uid;
    if (uid === undefined) this.#told.delete(key);
    if (uid === undefined || pod?.spec?.nodeName === undefined || this.#told.get(key) === uid) return;
    this.#told.set(key, uid);
    this.#say(`pod ${key} is on ${pod.spec.nodeName}`);
  }
}
