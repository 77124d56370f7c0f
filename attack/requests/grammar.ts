/** The hostile request of a seed and a number. */
import { createRandom } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import { celRequest } from "./cel-expressions.ts";
import { http1Request, http2Request, upgradeRequest } from "./connection-frames.ts";
import { drawFrom } from "./draw.ts";
import type { Draw } from "./draw.ts";
import type { Family, HostileRequest } from "./hostile-request.ts";
import { headerRequest } from "./request-headers.ts";
import { jsonRequest } from "./json-bodies.ts";
import { pathRequest } from "./request-paths.ts";
import { protobufRequest } from "./protobuf-bodies.ts";
import { yamlRequest } from "./yaml-bodies.ts";

/** Family → requests of a hundred, and how one is made. */
const families: Readonly<Record<Family, readonly [share: number, make: (draw: Draw, token: string) => HostileRequest["sent"]]>> = {
  json: [25, jsonRequest],
  yaml: [13, yamlRequest],
  protobuf: [13, protobufRequest],
  cel: [13, celRequest],
  paths: [17, pathRequest],
  headers: [12, headerRequest],
  http1: [3, http1Request],
  http2: [2, http2Request],
  upgrades: [2, upgradeRequest],
};

const order: readonly Family[] = (Object.keys(families) as Family[]).flatMap((family) => Array<Family>(families[family][0]).fill(family));

/** All families, in the order of the report. */
export const familyNames: readonly Family[] = Object.keys(families) as Family[];

export class Grammar {
  readonly #random: Random;
  readonly #token: string;

  /** Requests depend on the seed alone; the token is written into those that speak for themselves. */
  constructor(seed: string, token: string) {
    this.#random = createRandom(seed);
    this.#token = token;
  }

  /** Always the same request for the same number. */
  request(number: number): HostileRequest {
    const draw = drawFrom(this.#random.stream(String(number)));
    const family = draw.of(order);
    return { family, sent: families[family][1](draw, this.#token) };
  }
}
