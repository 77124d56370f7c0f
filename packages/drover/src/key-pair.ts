/** Checks whether a private key belongs to a certificate, for the client, which contains no cryptography. */
import { X509Certificate, createPrivateKey } from "node:crypto";
import type { PairCheck } from "@drover/client";

/** Checks the first certificate of a chain. Returns false if either cannot be parsed; never throws. */
export const isKeyPair: PairCheck = (certificate, key) => {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key.reveal()));
  } catch {
    return false;
  }
};
