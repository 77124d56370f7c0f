export declare const facadeBounds: { readonly packages: number; readonly bytes: number };
export declare function installedSize(folder: string): { readonly packages: number; readonly bytes: number };
