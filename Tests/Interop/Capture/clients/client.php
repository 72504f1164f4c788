<?php
// Sends the forms with PHP's curl extension. Usage: php client.php ADDRESS FORMS
[, $address, $path] = $argv;
printf("version\t%s\n", PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION . '.' . PHP_RELEASE_VERSION);
$forms = [];
foreach (file($path, FILE_IGNORE_NEW_LINES) as $line) {
    [$id, $kind, $name, $filename, $type, $content] = explode("\t", $line);
    $forms[$id][] = [$kind, ...array_map('base64_decode', [$name, $filename, $type, $content])];
}
foreach ($forms as $id => $parts) {
    $fields = [];
    foreach ($parts as [$kind, $name, $filename, $type, $content]) {
        if (isset($fields[$name])) {
            print("cannot\t$id\ttakes the fields as an array, whose keys are unique\n");
            continue 2;
        }
        $fields[$name] = $kind === 'file' ? new CURLStringFile($content, $filename, $type) : $content;
    }
    $request = curl_init("$address/$id");
    curl_setopt_array($request, [CURLOPT_POSTFIELDS => $fields, CURLOPT_TIMEOUT => 30, CURLOPT_RETURNTRANSFER => true]);
    if (curl_exec($request) === false) {
        exit(curl_error($request));
    }
}
