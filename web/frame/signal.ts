import { useEffect, useState } from "preact/hooks"

/** A value that code outside of components sets, and that components follow. */
export function signal<Value>(first: Value) {
  let value = first
  const followers = new Set<(value: Value) => void>()
  return {
    get: () => value,
    set(next: Value) {
      value = next
      for (const follow of followers) follow(next)
    },
    use(): Value {
      const [current, setCurrent] = useState(value)
      useEffect(() => {
        const follow = (next: Value) => setCurrent(() => next)
        follow(value)
        followers.add(follow)
        return () => void followers.delete(follow)
      }, [])
      return current
    },
  }
}
