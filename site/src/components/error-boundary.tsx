import { Component, type ReactNode } from 'react'
import { PartError } from '../lib/load-part.ts'

interface Props {
  children: ReactNode
  /** Shown instead of the part that failed. */
  fallback(error: Error, retry: () => void): ReactNode
  /** When it changes, such as to another page, the failed part is rendered again. */
  resetKey?: string
}

/** Keeps a failure to the part that failed: the rest of the page goes on. */
export class ErrorBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(thrown: unknown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  retry = () => {
    if (this.state.error instanceof PartError) this.state.error.forget()
    this.setState({ error: undefined })
  }

  override componentDidUpdate(before: Props) {
    if (this.state.error && before.resetKey !== this.props.resetKey) this.retry()
  }

  /** A part that is opened again later is loaded again. */
  override componentWillUnmount() {
    if (this.state.error instanceof PartError) this.state.error.forget()
  }

  override render() {
    const { error } = this.state
    return error ? this.props.fallback(error, this.retry) : this.props.children
  }
}
