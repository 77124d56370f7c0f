import type { TokenRequest } from "@drover/api/authentication/v1";
import { describe, expect, it } from "vitest";
import { setTokenRequestDefaults } from "./token-request-defaults.ts";

describe("defaults of TokenRequest", () => {
  it("set an expiration of one hour", () => {
    const requests: TokenRequest[] = [{ metadata: {} }, { metadata: {}, spec: { expirationSeconds: 600 } }];
    requests.forEach(setTokenRequestDefaults);
    expect(requests.map(({ spec }) => spec)).toEqual([{ expirationSeconds: 3600 }, { expirationSeconds: 600 }]);
  });
});
