/**
 * Conversion of custom objects by the webhook of their definition.
 *
 *     objects, version → ConversionReview → webhook → checked objects → in the shape of their schema
 */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { apiVersionOf, groupVersionKindFrom, newFailure, printGroupVersionKind, seconds } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type { WebhookConversion } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";
import { WebhookCallError } from "../webhook/webhook-client.ts";
import type { WebhookClient } from "../webhook/webhook-client.ts";
import { defaultsOfRead } from "./bounded-defaults.ts";
import { ConversionReviewError, conversionReviewText, readConversionReview } from "./conversion-review.ts";
import type { ConversionReview } from "./conversion-review.ts";
import type { OnExceeded } from "./jsonpath/first-value.ts";
import { inShape, schemasOf } from "./version-conversion.ts";

const timeoutMs = seconds(30);
const knownVersions: readonly string[] = ["v1", "v1beta1"];

/** Calls the webhooks of definitions. */
export interface ConversionCaller {
  readonly client: WebhookClient;
  /** Returns a new uid. */
  readonly uid: () => string;
}

/** Returns the conversion of the version `served`; undefined for a definition without a webhook. */
export function webhookConversion(
  { spec }: CustomResourceDefinition,
  served: string,
  { client, uid }: ConversionCaller,
  onExceeded: OnExceeded = () => undefined,
): WebhookConversion | undefined {
  const webhook = spec.conversion?.strategy === "Webhook" ? spec.conversion.webhook : undefined;
  if (webhook === undefined) return undefined;
  const { clientConfig = {}, conversionReviewVersions } = webhook;
  const named = (version: string): string => apiVersionOf({ group: spec.group, version });
  const stored = named(spec.versions.find(({ storage }) => storage)?.name ?? served);
  const schemaOf = schemasOf(spec);
  const shaped = (object: JsonObject): JsonObject => {
    const schema = schemaOf(textOf(object["apiVersion"]));
    return schema === undefined ? object : inShape(object, schema);
  };
  const converted = async (objects: readonly JsonObject[], desiredAPIVersion: string): Promise<readonly JsonObject[]> => {
    const [first = {}] = objects;
    const about = printGroupVersionKind(groupVersionKindFrom(textOf(first["apiVersion"]), textOf(first["kind"])));
    const version = conversionReviewVersions.find((each) => knownVersions.includes(each));
    if (version === undefined) throw failure("no supported conversion review versions");
    const review: ConversionReview = { version, uid: uid(), objects, desiredAPIVersion };
    try {
      const body = conversionReviewText(review);
      const kind = { group: "apiextensions.k8s.io", version, kind: "ConversionReview" };
      return readConversionReview(await client.post({ clientConfig, review: kind, body, timeoutMs, signal: undefined }), review);
    } catch (error) {
      if (error instanceof WebhookCallError) throw failure(`conversion webhook for ${about} failed: ${error.message}`);
      if (error instanceof ConversionReviewError && error.isBare) throw failure(error.message);
      if (error instanceof ConversionReviewError) throw failure(`conversion webhook for ${about} ${error.message}`);
      throw error;
    }
  };
  const convert: WebhookConversion["convert"] = async (objects, apiVersion) => {
    if (!spec.versions.some(({ name }) => named(name) === apiVersion))
      throw failure(`request to convert CR to an invalid group/version: ${apiVersion}`);
    const foreign = objects.filter((object) => object["apiVersion"] !== apiVersion);
    if (foreign.length === 0) return objects;
    const answers = (await converted(foreign, apiVersion)).map(shaped)[Symbol.iterator]();
    return objects.map((object) => (object["apiVersion"] === apiVersion ? object : (answers.next().value ?? object)));
  };
  return {
    convert,
    fromStored: async (objects) =>
      await convert(
        objects.map((object) => {
          const apiVersion = textOf(object["apiVersion"]);
          const schema = schemaOf(apiVersion);
          if (schema === undefined) throw failure(`request to convert CR from an invalid group/version: ${apiVersion}`);
          return { ...defaultsOfRead(inShape(object, schema), schema, onExceeded), apiVersion };
        }),
        named(served),
      ),
    toStored: async (object) => {
      const [first] = await convert([object], stored);
      return first ?? object;
    },
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const failure = (message: string): StatusError => new StatusError(newFailure(500, "", message));
