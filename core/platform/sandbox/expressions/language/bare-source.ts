/** An expression without the older marks of expressions: one before it, or the whole of it in braces. */
export const bareSource = (expression: string): string => {
  const text = expression.replace(/^\s*expr:/, '')
  return /^\s*[#@$]\{([\s\S]*)\}\s*$/.exec(text)?.[1] ?? text
}
