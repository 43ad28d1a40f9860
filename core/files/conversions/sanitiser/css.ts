/**
 * CSS that loads nothing: imports and addresses other than `#fragment` become words without a meaning. Escapes, which
 * could hide either, lose their backslash.
 */
export const cleanCss = (css: string): string =>
  css
    .replaceAll('\\', '')
    .replace(/@import/gi, '@none')
    .replace(/\b(?:src|image|image-set|cross-fade)\(/gi, 'none(')
    .replace(/url\((?!\s*['"]?#)/gi, 'none(')
