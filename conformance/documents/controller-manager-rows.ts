/**
 * The rows of the conformance list of controllers: what upstream's own tests say of them. Letters say whose they are;
 * the list leaves numbers out.
 */
const numbers: Readonly<Record<string, readonly number[]>> = {
  // Deployments
  D: [
    1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17, 21, 22, 23, 24, 26, 27, 28, 29, 31, 36, 37, 41, 42, 43, 44, 46, 47, 48, 49, 51, 56, 57,
    58, 59, 61, 62, 63, 64, 71, 72, 73, 74, 76, 77, 78, 79, 81, 82, 83, 84, 86, 87, 91, 92, 93, 94, 96, 97, 98, 99, 106, 107, 108, 109, 111,
    112, 113, 114, 116, 117, 118, 119, 121, 122, 123,
  ],
  // ReplicaSets
  R: [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17, 18, 19, 21, 22, 23, 24, 26, 27, 29],
  // what controllers share
  C: [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14],
  // Endpoints
  E: [
    1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17, 18, 19, 21, 22, 23, 24, 26, 27, 28, 29, 31, 32, 33, 34, 36, 37, 38, 39, 41, 42, 43, 44,
  ],
  // EndpointSlices
  S: [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17, 18, 19, 21, 22, 23, 24, 26, 27, 28, 29, 31, 32, 33, 34, 36, 37, 38, 39, 41],
  // the garbage collector
  G: [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17, 18, 19, 21],
  // Jobs
  J: [
    1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17, 18, 19, 21, 22, 23, 24, 26, 27, 28, 29, 31, 32, 33, 34, 41, 42, 43, 44, 46, 47, 51, 52,
    53, 54, 56, 57, 58, 59, 61, 62, 63, 64, 66, 67, 68, 69,
  ],
};

/** "D001" and so on. */
export const controllerManagerRows: readonly string[] = Object.entries(numbers).flatMap(([letter, all]) =>
  all.map((number) => `${letter}${String(number).padStart(3, "0")}`),
);
