/** Defaults of Endpoints and EndpointSlice. */
import type { Endpoints } from "@drover/api/core/v1";
import type { EndpointSlice } from "@drover/api/discovery/v1";
import { elements } from "./elements.ts";

export function setEndpointsDefaults(endpoints: Endpoints): void {
  for (const { ports } of elements(endpoints.subsets)) for (const port of elements(ports)) port.protocol ||= "TCP";
}

export function setEndpointSliceDefaults(slice: EndpointSlice): void {
  for (const port of elements(slice.ports)) {
    port.name ??= "";
    port.protocol ??= "TCP";
  }
}
