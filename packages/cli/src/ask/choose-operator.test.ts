import { describe, expect, it } from "vitest";
import { chooseOperator } from "./choose-operator.ts";

const shop = { pid: 11, name: "shop", address: "127.0.0.1:4679", startedAt: 0 };
const dns = { pid: 12, name: "dns", address: "127.0.0.1:5000", startedAt: 60_000 };

describe("chooseOperator", () => {
  it("takes the only operator, the named one, or the port", () => {
    expect(chooseOperator({}, [shop], 0)).toEqual({ address: shop.address });
    expect(chooseOperator({ operator: "dns" }, [shop, dns], 0)).toEqual({ address: dns.address });
    expect(chooseOperator({ operator: "11" }, [shop, dns], 0)).toEqual({ address: shop.address });
    expect(chooseOperator({ port: 9 }, [], 0)).toEqual({ address: "127.0.0.1:9" });
  });

  it("lists several operators, and says what to do without one", () => {
    expect(chooseOperator({}, [shop, dns], 120_000)).toEqual({
      ambiguous:
        "several operators run on this machine; add --operator NAME, --operator PID or --port PORT:\n  shop  pid 11, 127.0.0.1:4679, for 2m\n  dns  pid 12, 127.0.0.1:5000, for 60s",
    });
    expect(chooseOperator({}, [], 0)).toEqual({ missing: expect.stringContaining("--deployment NAME or --pod NAME") as string });
    expect(chooseOperator({ operator: "web" }, [shop], 0)).toEqual({ missing: expect.stringContaining("these do:\n  shop") as string });
  });
});
