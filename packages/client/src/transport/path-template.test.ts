import { expect, it } from "vitest";
import { pathTemplate } from "./path-template.ts";

it.each([
  ["/api/v1/namespaces/shop/pods/web-0/log?follow=true", "/api/v1/namespaces/{namespace}/pods/{name}/log"],
  ["/api/v1/pods?limit=5", "/api/v1/pods"],
  ["/api/v1/namespaces/shop", "/api/v1/namespaces/{name}"],
  ["/api/v1/namespaces/shop/finalize", "/api/v1/namespaces/{name}/finalize"],
  ["/api/v1/namespaces/shop/status", "/api/v1/namespaces/{name}/status"],
  ["/apis/apps/v1/namespaces/shop/deployments/web/scale", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale"],
  ["/api/v1/nodes/n1/proxy/secret/path", "/api/v1/nodes/{name}/proxy/{path}"],
  ["/api/v1/watch/namespaces/shop/pods/web", "/api/v1/watch/namespaces/{namespace}/pods/{name}"],
  ["/apis", "/apis"],
  ["/apis/apps/v1", "/apis/apps/v1"],
  ["/version", "/version"],
  ["/openapi/v3/apis/apps/v1?hash=1", "/openapi/{path}"],
  ["/", "/"],
])("pathTemplate: %s → %s", (path, template) => {
  expect(pathTemplate(path)).toBe(template);
});
