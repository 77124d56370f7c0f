export declare const oracleFolder: string;
export declare const clusterFolder: string;
export declare const softwareFolder: string;
export declare const suitesFolder: string;
export declare function sourceFolder(folder: string): string;
export declare function assetEnvironment(): Record<string, string>;
