/** Whether a private key belongs to a certificate: the cryptography that the client asks its host for. */
import { X509Certificate, createPrivateKey } from "node:crypto";
import type { PairCheck } from "@drover/client";

/** Of a chain the first certificate counts. False also when either cannot be read; never throws. */
export const isKeyPair: PairCheck = (certificate, key) => {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key.reveal()));
  } catch {
    return false;
  }
};
