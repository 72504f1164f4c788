"""Runs moto's S3 with a bucket, and has boto3 presign a POST to it. Prints the POST as JSON."""

import json
import sys
import threading

import boto3
import botocore.config
from moto.server import ThreadedMotoServer

from ending import end_with_input

READABLE = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::photos/*"}
    ],
}


def main():
    announcement, sys.stdout = sys.stdout, sys.stderr
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    _, port = server.get_host_and_port()
    client = boto3.client(
        "s3",
        endpoint_url=f"http://127.0.0.1:{port}",
        region_name="us-east-1",
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=botocore.config.Config(signature_version="s3v4", s3={"addressing_style": "path"}),
    )
    client.create_bucket(Bucket="photos")
    # The tests read the objects without a key.
    client.put_bucket_policy(Bucket="photos", Policy=json.dumps(READABLE))
    fields = {
        "success_action_status": "201",
        "Content-Type": "image/png",
        "x-amz-meta-title": "Lighthouse",
    }
    post = client.generate_presigned_post(
        "photos",
        "uploads/${filename}",
        Fields=fields,
        Conditions=[
            *({name: value} for name, value in fields.items()),
            ["content-length-range", 1, 64 << 20],
        ],
        ExpiresIn=600,
    )
    pairs = [{"name": name, "value": value} for name, value in post["fields"].items()]
    print(json.dumps({"url": post["url"], "fields": pairs}), file=announcement, flush=True)
    end_with_input()
    threading.Event().wait()


main()
