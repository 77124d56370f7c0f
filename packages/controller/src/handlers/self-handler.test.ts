import type { Added } from "@drover/cache";
import { objectKey } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { added, deleted, updated } from "../testing/changes.ts";
import { selfHandler } from "./self-handler.ts";

const web: KubeObject = { metadata: { namespace: "shop", name: "web" } };

describe("selfHandler", () => {
  it("requests the object itself, for every type of change", () => {
    for (const change of [added(web), updated(web, { metadata: { ...web.metadata, labels: {} } }), deleted(web)]) {
      expect(selfHandler(change)).toEqual([{ key: "shop/web", priority: 0, cause: { type: "change", via: "self", change } }]);
    }
    expect(selfHandler(added({ metadata: { name: "node-1" } }))[0]?.key).toBe("node-1");
  });

  it("does not read the object, so that it is not parsed", () => {
    const change: Added<KubeObject> = {
      type: "added",
      key: objectKey("web", "shop"),
      uid: "u",
      isInInitialList: true,
      get object(): never {
        throw new Error("the object was read");
      },
    };
    expect(selfHandler(change)[0]).toMatchObject({ key: "shop/web", priority: -100 });
  });
});
