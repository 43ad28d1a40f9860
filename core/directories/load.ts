/** A CSV file that a directory begins with, and when it is loaded (security.md §8). */
export type DataFile = {
  /** Below a configuration folder. */
  path: string
  separator: string
  loading: 'legacy' | 'never_load' | 'skip_duplicate' | 'reject_duplicate' | 'update_duplicate'
  creation: 'never' | 'on_missing_columns' | 'always'
}
