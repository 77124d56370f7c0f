/** Wrangler's generated controllers, handlers, apply and helpers under their Go names. All of them are listed in packages/wrangler/src/index.ts. */
export * from "@drover/wrangler";
