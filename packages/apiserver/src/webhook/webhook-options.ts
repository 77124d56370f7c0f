/** Options of the server that concern the webhooks it calls. */
import type { CallWebhook, ServiceAddress } from "./webhook-call.ts";

/** A service that a webhook configuration names. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export interface WebhookOptions {
  /**
   * Finds the address of a service; undefined for services that the server looks up itself: the annotation `drover.dev/forward-to`
   * ("127.0.0.1:9443") of the Service, then its ready EndpointSlices, then its cluster IP.
   * @default every service is looked up
   */
  readonly resolveService?: (service: WebhookService) => ServiceAddress | undefined;
  /**
   * Answers calls in this process instead of over the network; undefined for calls that go out.
   * @default all calls go out
   */
  readonly handle?: (...call: Parameters<CallWebhook>) => ReturnType<CallWebhook> | undefined;
}
