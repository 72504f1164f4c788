"""Runs moto's S3 with a bucket, and a user whose signatures it checks. Prints the bucket and the user's keys as JSON."""

import json
import logging
import sys
import threading

import boto3
from moto import settings
from moto.server import ThreadedMotoServer

from ending import end_with_input

POLICY = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}


def main():
    announcement, sys.stdout = sys.stdout, sys.stderr
    # A line for each piece of a file says nothing.
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    address = f"http://127.0.0.1:{port}"

    def connect(service):
        return boto3.client(
            service,
            endpoint_url=address,
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )

    connect("s3").create_bucket(Bucket="files")
    users = connect("iam")
    users.create_user(UserName="server")
    users.put_user_policy(UserName="server", PolicyName="storage", PolicyDocument=json.dumps(POLICY))
    key = users.create_access_key(UserName="server")["AccessKey"]
    # From here on, requests that the user has not signed are refused.
    settings.INITIAL_NO_AUTH_ACTION_COUNT = 0

    bucket = {
        "url": f"{address}/files",
        "region": "us-east-1",
        "accessKey": key["AccessKeyId"],
        "secretKey": key["SecretAccessKey"],
    }
    print(json.dumps(bucket), file=announcement, flush=True)
    end_with_input()
    threading.Event().wait()


main()
