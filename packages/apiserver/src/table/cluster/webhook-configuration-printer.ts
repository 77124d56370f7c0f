/** MutatingWebhookConfiguration and ValidatingWebhookConfiguration: number of webhooks. */
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@drover/api/admissionregistration/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const webhookConfigurationPrinter: TablePrinter = printer<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(
  [nameColumn, column("Webhooks", "The number of webhooks.", { type: "integer" }), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, webhooks = [] }, now) => [name, webhooks.length, ageOf(creationTimestamp, now)],
);
