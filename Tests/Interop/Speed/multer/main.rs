//! multer, timed over the messages of a file.
//!
//!     peer-multer FILE BOUNDARY MESSAGE_BYTES RUNS
//!
//! Prints one JSON object: the parts of a run with the bytes of their content, and the time of each run in nanoseconds.
//! The first run is not timed.

use bytes::Bytes;
use futures_executor::block_on;
use futures_util::stream::Stream;
use std::convert::Infallible;
use std::hint::black_box;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

const CHUNK: usize = 64 * 1024;

/// The chunks of a message. After each chunk it is not ready once, as a connection is: multer reads whatever is ready
/// into its buffer before it parses, and would hold the whole message.
struct Chunks {
    chunks: std::vec::IntoIter<Bytes>,
    is_ready: bool,
}

impl Stream for Chunks {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.is_ready = !self.is_ready;
        if self.is_ready {
            return Poll::Ready(self.chunks.next().map(Ok));
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// What a run has seen.
#[derive(Default)]
struct Seen {
    parts: usize,
    content: usize,
}

async fn parse(chunks: Vec<Bytes>, boundary: &str, seen: &mut Seen) -> Result<(), multer::Error> {
    let chunks = Chunks {
        chunks: chunks.into_iter(),
        is_ready: false,
    };
    let mut message = multer::Multipart::new(chunks, boundary);
    while let Some(mut field) = message.next_field().await? {
        seen.parts += 1;
        black_box((field.name(), field.file_name(), field.content_type()));
        while let Some(chunk) = field.chunk().await? {
            seen.content += chunk.len();
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let data = Bytes::from(std::fs::read(&arguments[0])?);
    let boundary = &arguments[1];
    let message_length: usize = arguments[2].parse()?;
    let runs: usize = arguments[3].parse()?;

    let cut = |bytes: &Bytes, length: usize| -> Vec<Bytes> {
        let starts = (0..bytes.len()).step_by(length);
        starts
            .map(|start| bytes.slice(start..bytes.len().min(start + length)))
            .collect()
    };
    let messages: Vec<Vec<Bytes>> = cut(&data, message_length)
        .iter()
        .map(|message| cut(message, CHUNK))
        .collect();
    let parse_all = || -> Result<Seen, multer::Error> {
        let mut seen = Seen::default();
        for chunks in &messages {
            block_on(parse(chunks.clone(), boundary, &mut seen))?;
        }
        Ok(seen)
    };

    let mut seen = parse_all()?;
    let mut times = Vec::new();
    for _ in 0..runs {
        let start = Instant::now();
        seen = parse_all()?;
        times.push(start.elapsed().as_nanos().to_string());
    }
    let Seen { parts, content } = seen;
    println!("{{\"parts\": {parts}, \"content\": {content}, \"ns\": [{}]}}", times.join(", "));
    Ok(())
}
