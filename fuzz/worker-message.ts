/** What supervisor and thread say to each other. */

export interface WorkerOrder {
  readonly name: string;
  readonly seed: string;
  readonly milliseconds: number;
  /** Counts inputs instead of time, so that every run of a seed has the same inputs. */
  readonly repeatable: boolean;
  /** The newest input: two 32-bit numbers, its length and the count of inputs, then its bytes. */
  readonly shared: SharedArrayBuffer;
  /** Runs only this input. */
  readonly replay?: Uint8Array;
}

export type WorkerMessage =
  | { readonly kind: "failure"; readonly signature: string; readonly text: string; readonly input: Uint8Array }
  | {
      readonly kind: "end";
      readonly executions: number;
      readonly kept: number;
      readonly blocks: number;
      readonly longestMs: number;
      readonly failures: number;
      readonly seconds: number;
    };
