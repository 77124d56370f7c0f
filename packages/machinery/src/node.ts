/** The parts of machinery that need Node. */
export { nodeCrypto } from "./x509/node-crypto.ts";
