/** See `markup.mjs`. */
export declare const textOfMarkup: (markup: string) => string
