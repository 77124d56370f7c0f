import { ApiError, isNotFound, objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { createLister } from "./lister.ts";
import type { ListFilter } from "./list-filter.ts";
import { podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

const web = podVersion("shop/web", 1).object;
const node = podVersion("n1", 2).object;

function stage(): { lister: ReturnType<typeof createLister<TestPod>>; asked: ListFilter[] } {
  const objects = new Map([
    ["shop/web", web],
    ["n1", node],
  ]);
  const asked: ListFilter[] = [];
  const lister = createLister<TestPod>(
    {
      get: (key) => objects.get(key),
      list: (filter = {}) => {
        asked.push(filter);
        return [...objects.values()];
      },
    },
    { group: "apps", resource: "deployment" },
  );
  return { lister, asked };
}

describe("createLister", () => {
  it("finds an object by name, namespaced or cluster-scoped, and returns it uncopied", () => {
    const { lister } = stage();
    expect(lister.namespace("shop").get("web")).toBe(web);
    expect(lister.get("n1")).toBe(node);
    expect(objectKey("web", "shop")).toBe("shop/web");
  });

  it("throws the server's NotFound for a missing object, with the name alone", () => {
    const { lister } = stage();
    const error = ((): unknown => {
      try {
        return lister.namespace("shop").get("none");
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(ApiError);
    expect([isNotFound(error), (error as ApiError).code, (error as ApiError).message]).toEqual([
      true,
      404,
      'deployment.apps "none" not found',
    ]);
    expect(() => lister.get("shop/web/x")).toThrow('deployment.apps "shop/web/x" not found');
  });

  it("passes on filters, with its namespace", () => {
    const { lister, asked } = stage();
    lister.list();
    lister.list({ labelSelector: "app=web" });
    lister.namespace("shop").list({ labelSelector: "app=web" });
    lister.namespace("shop").list();
    expect(asked).toEqual([{}, { labelSelector: "app=web" }, { labelSelector: "app=web", namespace: "shop" }, { namespace: "shop" }]);
  });
});
