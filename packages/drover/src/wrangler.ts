/**
 * Wrangler's generated controllers, handlers, apply and helpers under their Go names.
 * packages/wrangler/src/index.ts lists them.
 */
export * from "@drover/wrangler";
