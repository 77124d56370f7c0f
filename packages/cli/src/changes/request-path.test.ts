import { expect, it } from "vitest";
import { requestPath } from "./request-path.ts";

it.each([
  ["/api/v1/namespaces/shop/pods/web?dryRun=All", { group: "", resource: "pods", namespace: "shop", name: "web", subresource: "" }],
  [
    "/apis/apps/v1/namespaces/shop/deployments/web/scale",
    { group: "apps", resource: "deployments", namespace: "shop", name: "web", subresource: "scale" },
  ],
  ["/api/v1/namespaces", { group: "", resource: "namespaces", namespace: "", name: "", subresource: "" }],
  ["/api/v1/namespaces/shop", { group: "", resource: "namespaces", namespace: "", name: "shop", subresource: "" }],
  ["/api/v1/namespaces/shop/finalize", { group: "", resource: "namespaces", namespace: "", name: "shop", subresource: "finalize" }],
  ["/api/v1/nodes/node-1", { group: "", resource: "nodes", namespace: "", name: "node-1", subresource: "" }],
  ["/apis/apps/v1/namespaces/shop/deployments", { group: "apps", resource: "deployments", namespace: "shop", name: "", subresource: "" }],
  ["/apis/apps/v1", undefined],
  ["/version", undefined],
])("requestPath parses %s", (path, about) => {
  expect(requestPath(path)).toEqual(about);
});
